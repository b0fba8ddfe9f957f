// agreement
