/** What a browser calls itself, in the order in which the names tell them apart: each claims to be those after it. */
const browsers: readonly (readonly [name: string, version: RegExp])[] = [
  ['Edge', /\bEdg(?:A|iOS)?\/(\d+)/u],
  ['Opera', /\bOPR\/(\d+)/u],
  ['Samsung Internet', /\bSamsungBrowser\/(\d+)/u],
  ['Firefox', /\b(?:Firefox|FxiOS)\/(\d+)/u],
  ['Chrome', /\b(?:Headless)?Chrome\/(\d+)/u],
  ['Chrome', /\bCriOS\/(\d+)/u],
  ['Safari', /\bVersion\/(\d+)[\d.]* (?:Mobile\/\S+ )?Safari\//u],
];
const systems: readonly (readonly [name: string, sign: RegExp])[] = [
  ['Windows', /\bWindows NT\b/u],
  ['Android', /\bAndroid\b/u],
  ['iPhone', /\biPhone\b/u],
  ['iPad', /\biPad\b/u],
  ['macOS', /\bMac OS X\b/u],
  ['ChromeOS', /\bCrOS\b/u],
  ['Linux', /\bLinux\b/u],
];

/** A browser as its owner knows it, 'Chrome 140 · Windows', out of a User-Agent header; what is none stays as it is. */
export function browserName(userAgent: string): string {
  for (const [name, pattern] of browsers) {
    const version = pattern.exec(userAgent)?.[1];
    if (version === undefined) continue;
    const system = systems.find(([, sign]) => sign.test(userAgent))?.[0];
    return [`${name} ${version}`, system].filter((part) => part !== undefined).join(' · ');
  }
  return userAgent;
}
