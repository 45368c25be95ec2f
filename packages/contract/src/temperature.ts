/** A temperature in °F. @param celsius °C, as everything stored has it */
export const fahrenheitOf = (celsius: number): number => celsius * 1.8 + 32;
