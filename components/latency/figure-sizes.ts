/** Heights of the drawings, px, the same before and after their chunk has arrived. */
export const LINES_PX = 236;
export const HALF_PX = 236;
