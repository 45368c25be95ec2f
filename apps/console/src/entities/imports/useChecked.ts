import { useCallback, useState } from 'react';

/** What is chosen, and what was found out about it. */
interface State<Choice, Found> {
  readonly choice: Choice | undefined;
  readonly found?: Found | undefined;
}

/** A choice, such as a file and how it is read, with the result of its check: that of another choice, which may come later, is dropped. */
export function useChecked<Choice extends object, Found>() {
  const [{ choice, found }, setState] = useState<State<Choice, Found>>({ choice: undefined });
  const choose = useCallback((next: Choice | undefined) => setState({ choice: next }), []);
  const note = useCallback(
    (of: Choice, result: Found) => setState((now) => (now.choice === of ? { choice: of, found: result } : now)),
    [],
  );
  return { choice, found, choose, note };
}
