/** What stands between the cells of a CSV: many spreadsheets in Europe read semicolons. */
export const separators = ['comma', 'semicolon', 'tab'] as const;
export type Separator = (typeof separators)[number];
