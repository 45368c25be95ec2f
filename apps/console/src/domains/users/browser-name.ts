/** Browser names in the order that distinguishes them: each one also claims to be those after it. */
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

/** A readable browser name, 'Chrome 140 · Windows', from a User-Agent header; an unknown one is returned unchanged. */
export function browserName(userAgent: string): string {
  for (const [name, pattern] of browsers) {
    const version = pattern.exec(userAgent)?.[1];
    if (version === undefined) continue;
    const system = systems.find(([, sign]) => sign.test(userAgent))?.[0];
    return [`${name} ${version}`, system].filter((part) => part !== undefined).join(' · ');
  }
  return userAgent;
}
