/** Rows of one quick order; a cart holds as many lines. */
export const maxOrderRows = 300
/** Longer cells are cut: no part number is as long. */
export const maxCellLength = 60
