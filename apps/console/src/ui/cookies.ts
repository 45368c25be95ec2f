/** Read one cookie of this page; undefined when it is not set or unreadable. */
export function readCookie(name: string, jar: string = document.cookie): string | undefined {
  const found = jar
    .split('; ')
    .find((pair) => pair.startsWith(`${name}=`))
    ?.slice(name.length + 1);
  if (found === undefined) return undefined;
  try {
    return decodeURIComponent(found);
  } catch {
    return undefined;
  }
}

/** The text that sets a cookie for the whole site; `seconds` 0 erases it. */
export function cookieText(name: string, value: string, seconds: number, secure = location.protocol === 'https:'): string {
  const parts = [`${name}=${encodeURIComponent(value)}`, 'Path=/', `Max-Age=${seconds}`, 'SameSite=Lax'];
  return secure ? [...parts, 'Secure'].join('; ') : parts.join('; ');
}

/** Set a cookie for `seconds` from now. */
export function writeCookie(name: string, value: string, seconds: number): void {
  // The asynchronous cookie store is missing from browsers we support.
  document.cookie = cookieText(name, value, seconds);
}
