import { type ReactNode, useState } from 'react';
import { Code } from './Code.tsx';
import { type Call, type Field, fieldsOf } from './description.ts';
import { type SnippetKind, snippetKinds, snippetOf } from './snippets.ts';
import { type DocsTexts, useDocsTexts } from './texts.ts';

export interface CallEntryProps {
  readonly call: Call;
  /** The address names it. */
  readonly isOpen: boolean;
}

/** One call: a line, and below it, once it was opened, its fields and examples. */
export function CallEntry({ call, isOpen }: CallEntryProps): ReactNode {
  const t = useDocsTexts();
  const [isShown, setShown] = useState(false);
  return (
    <details
      id={call.id}
      className="docs__call"
      open={isOpen || isShown}
      onToggle={(event) => setShown(event.currentTarget.open)}
    >
      <summary>
        <span className={`docs__method docs__method--${call.method.toLowerCase()}`}>{call.method}</span>
        <h3>{call.id}</h3>
        <span className="docs__summary">{call.summary}</span>
      </summary>
      {(isOpen || isShown) && <CallParts call={call} t={t} />}
    </details>
  );
}

function CallParts({ call, t }: { readonly call: Call; readonly t: DocsTexts }): ReactNode {
  const { parameters, body, response } = call;
  const ofParameters = parameters.flatMap(({ name, in: location, required, description, schema }) =>
    fieldsOf({ properties: { [name]: { description, ...schema } }, required: required ? [name] : [] }).map((field) => ({
      ...field,
      location,
    })),
  );
  return (
    <div className="docs__parts">
      <p className="docs__address">
        <code>
          {call.method} {call.path}
        </code>{' '}
        <a href={`#${call.id}`} aria-label={call.id}>
          #
        </a>
      </p>
      <p>
        {call.description} {call.isPublic && <em>({t.public})</em>}
      </p>
      <Snippets call={call} t={t} />
      {ofParameters.length > 0 && <Fields title={t.parameters} fields={ofParameters} noteOf={call.noteOf} t={t} />}
      {body !== undefined && (
        <Fields title={`${t.body} · ${body.type}`} fields={fieldsOf(body.schema)} noteOf={call.noteOf} t={t} />
      )}
      <Fields title={`${t.response} · ${response.type}`} fields={fieldsOf(response.schema)} noteOf={call.noteOf} t={t} />
      {response.example !== undefined && <Code text={JSON.stringify(response.example, null, 2)} />}
    </div>
  );
}

function Snippets({ call, t }: { readonly call: Call; readonly t: DocsTexts }): ReactNode {
  const [kind, setKind] = useState<SnippetKind>('curl');
  const names = { curl: t.curl, client: t.typed, cli: t.cli } as const;
  return (
    <div className="docs__snippets">
      <fieldset>
        <legend>{t.example}</legend>
        {snippetKinds.map((each) => (
          <label key={each}>
            <input type="radio" name={`example ${call.id}`} checked={kind === each} onChange={() => setKind(each)} />
            {names[each]}
          </label>
        ))}
      </fieldset>
      <Code text={snippetOf(kind, call, location.origin)} />
    </div>
  );
}

interface FieldsProps {
  readonly title: string;
  readonly fields: readonly (Field & { readonly location?: string })[];
  readonly noteOf: Call['noteOf'];
  readonly t: DocsTexts;
}

function Fields({ title, fields, noteOf, t }: FieldsProps): ReactNode {
  if (fields.length === 0) return <h4>{title}</h4>;
  return (
    <>
      <h4>{title}</h4>
      {/* oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- what scrolls must be reachable with the keyboard */}
      <div className="docs__scroll" tabIndex={0} role="group" aria-label={title}>
        <table>
          <thead>
            <tr>
              <th scope="col">{t.field}</th>
              <th scope="col">{t.type}</th>
              <th scope="col">{t.values}</th>
            </tr>
          </thead>
          <tbody>
            {fields.map(({ name, type, required, limits, note, location }) => (
              <tr key={name}>
                <th scope="row">
                  <code>{name}</code> {required && <span className="docs__required">{t.required}</span>}
                </th>
                <td>
                  {type}
                  {location !== undefined && <span className="docs__in"> · {location === 'path' ? t.path : t.query}</span>}
                </td>
                <td>{[limits, noteOf(note)].filter((part) => part !== '').join(' · ')}</td>
              </tr>
            ))}
          </tbody>
        </table>
      </div>
    </>
  );
}
