// policies
