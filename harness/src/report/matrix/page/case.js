// case
