import { type ReactNode, useState } from 'react';
import { useDocsTexts } from './texts.ts';

/** Text to copy. */
export function Code({ text }: { readonly text: string }): ReactNode {
  const t = useDocsTexts();
  const [copied, setCopied] = useState('');
  return (
    <div className="docs__code">
      {/* oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- what scrolls must be reachable with the keyboard */}
      <pre tabIndex={0}>{text}</pre>
      {/* Plain http has no clipboard: the text can be selected there. */}
      {'clipboard' in navigator && (
        <button type="button" onClick={() => void navigator.clipboard.writeText(text).then(() => setCopied(text))}>
          {copied === text ? t.copied : t.copy}
        </button>
      )}
    </div>
  );
}
