// grid
