/** The width of drawings, in points: that of an upright page. */
export const DRAWING_WIDTH = 515;
