import { readFileSync } from 'node:fs';
import { type RouterDescription, fleetFile } from './description.ts';

export function readFleetFile(file: string | boolean | undefined, faults: string[]): RouterDescription[] {
  if (typeof file !== 'string') {
    faults.push('--file is missing');
    return [];
  }
  const json = readJson(file, faults);
  if (json === undefined) return [];
  const parsed = fleetFile.safeParse(json);
  if (parsed.success) return parsed.data;
  faults.push(...parsed.error.issues.map(({ path, message }) => `${file}: ${path.join('.') || 'the file'}: ${message}`));
  return [];
}

function readJson(file: string, faults: string[]): unknown {
  let text: string;
  try {
    text = readFileSync(file, 'utf8');
  } catch (error) {
    faults.push(`--file: ${error instanceof Error ? error.message : String(error)}`);
    return undefined;
  }
  try {
    return JSON.parse(text);
  } catch {
    // The parser's message quotes the text around the fault, which may be a secret.
    faults.push(`--file: ${file} is not JSON`);
    return undefined;
  }
}
