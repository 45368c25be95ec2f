import type { ReactNode } from 'react';
import { Code } from './Code.tsx';
import { useDocsTexts } from './texts.ts';

const FAILURE = JSON.stringify({ error: { code: 404, key: 'not_found', message: 'Not found' } }, null, 2);

/** What holds for every call. */
export function Guide(): ReactNode {
  const t = useDocsTexts();
  return (
    <div className="docs__guide">
      <section>
        <h2>{t.auth}</h2>
        <p>{t.authText}</p>
        <Code text="Authorization: Bearer hlk_…" />
      </section>
      <section>
        <h2>{t.client}</h2>
        <p>{t.clientText}</p>
        <Code text={'export HIGHLINE_URL HIGHLINE_API_KEY\nhighline api devices list --limit 5'} />
      </section>
      <section>
        <h2>{t.once}</h2>
        <p>{t.onceText}</p>
      </section>
      <section>
        <h2>{t.limits}</h2>
        <p>{t.limitsText}</p>
      </section>
      <section>
        <h2>{t.pages}</h2>
        <p>{t.pagesText}</p>
      </section>
      <section>
        <h2>{t.failures}</h2>
        <p>{t.failuresText}</p>
        <Code text={FAILURE} />
      </section>
    </div>
  );
}
