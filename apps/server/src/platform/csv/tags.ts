import { identifierCell } from '@highline/contract/csv-cell';

/**
 * Tags as one cell, separated by a comma and a blank: `depot, spare`. A comma or backslash within a tag has a backslash before it
 * (BLK-02).
 */
export function tagsCell(tags: readonly string[]): string {
  return identifierCell(tags.map((tag) => tag.replaceAll('\\', '\\\\').replaceAll(',', '\\,')).join(', '));
}

/** The tags of such a cell, trimmed, without empty ones. */
export function tagsOf(cell: string): string[] {
  const tags: string[] = [];
  let tag = '';
  for (let at = 0; at < cell.length; at += 1) {
    const letter = cell[at]!;
    if (letter === ',') {
      tags.push(tag);
      tag = '';
    } else if (letter === '\\' && at + 1 < cell.length) {
      at += 1;
      tag += cell[at]!;
    } else {
      tag += letter;
    }
  }
  return [...tags, tag].map((text) => text.trim()).filter((text) => text !== '');
}
