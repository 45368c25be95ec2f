/**
 * Other titles of the columns of an import: those that our own exports write, in both languages, and those of usual templates (BLK-05).
 * By the title that the import names.
 */
const otherTitles: Readonly<Record<string, readonly string[]>> = {
  SN: ['Serial Number', 'Serial', 'Device Serial#', 'Device Serial', 'Serial #', '序號', '裝置序號'],
  MAC: ['MAC Address', 'MAC 位址'],
  'Start Date': ['Started', '開始日期'],
  'Expiry Date': ['Expiration Date', 'Expired', '到期日'],
  Model: ['Device Model', '型號', '裝置型號'],
  'Endpoint ID': ['端點識別碼'],
  'Activation Code': ['ac', '啟用碼'],
  NAME: ['eSIM Name', 'eSIM 名稱'],
  Group: ['Group Name', '群組', '群組名稱'],
  'Vehicle#': ['Vehicle', 'Vehicle Number', '車輛編號'],
  Notes: ['Note', '備註'],
  Tags: ['Tag', '標籤'],
  confirmation_code: ['確認碼'],
};

/** Titles match regardless of case, blanks, underscores and a leading apostrophe. */
export function plainTitle(title: string): string {
  return title.toLowerCase().replaceAll(/[\s_'"\ufeff]/gu, '');
}

/** Every title under which a column is accepted, its own first; as `plainTitle` makes them. */
export function acceptedTitles(title: string): readonly string[] {
  return [title, ...(otherTitles[title] ?? [])].map(plainTitle);
}
