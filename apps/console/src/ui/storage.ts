/** Access to the browser's storage, which may be full, blocked or contain foreign data. */

/** A stored JSON value, or undefined. The caller checks its shape: storage is a door like any other. */
export function readStored(key: string, area: Storage = localStorage): unknown {
  try {
    const text = area.getItem(key);
    return text === null ? undefined : (JSON.parse(text) as unknown);
  } catch {
    return undefined;
  }
}

/** Store a JSON value; if the browser rejects it, only the setting is lost. */
export function writeStored(key: string, value: unknown, area: Storage = localStorage): void {
  try {
    if (value === undefined) area.removeItem(key);
    else area.setItem(key, JSON.stringify(value));
  } catch {
    // Storage is full or blocked.
  }
}
