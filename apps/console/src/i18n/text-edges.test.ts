import { describe, expect, test } from 'vitest';
import { marked, setApart } from './text-edges.ts';

const sentence = (before: string, value: string, after: string) => setApart(`${before}${String(marked(value))}${after}`);

describe('a value in a Chinese sentence', () => {
  test.each([
    ['請輸入', 'ICCID', '', '請輸入 ICCID'],
    ['請輸入', '序號', '', '請輸入序號'],
    ['', 'APN 1', '格式不正確', 'APN 1 格式不正確'],
    ['', '5 秒前', '更新', '5 秒前更新'],
    ['依', 'eSIM 狀態', '篩選', '依 eSIM 狀態篩選'],
    ['「', 'Bus 7', '」', '「Bus 7」'],
    ['編輯 ', '公車A1', '', '編輯 公車A1'],
    ['Please enter the ', 'ICCID', '', 'Please enter the ICCID'],
  ])('%s + %s + %s reads %s', (before, value, after, whole) => {
    expect(sentence(before, value, after)).toBe(whole);
  });

  test('a figure is left alone', () => {
    expect(marked(7)).toBe(7);
  });
});
