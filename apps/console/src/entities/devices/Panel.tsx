import type { ReactNode } from 'react';

/** A card of a device's page, with its heading. */
export function Panel({
  id,
  title,
  more,
  children,
}: {
  id: string;
  title: string;
  more?: ReactNode;
  children: ReactNode;
}): ReactNode {
  return (
    <section className="card panel" aria-labelledby={id}>
      <div className="panel__head">
        <h2 id={id}>{title}</h2>
        {more}
      </div>
      {children}
    </section>
  );
}
