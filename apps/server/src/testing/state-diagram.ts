import { readFile } from 'node:fs/promises';

/** Collects transitions that were seen. */
export class SeenTransitions {
  readonly #seen = new Map<string, Set<string>>();

  add(from: string, to: string, cause: string): void {
    const edge = `${from} --> ${to}`;
    this.#seen.set(edge, (this.#seen.get(edge) ?? new Set()).add(cause));
  }

  /** Lines of a Mermaid diagram, sorted. */
  lines(): string[] {
    return [...this.#seen].map(([edge, causes]) => `${edge}: ${[...causes].toSorted().join(', ')}`).toSorted();
  }
}

/** The transitions in the state diagram on the page of a domain (docs/domains), sorted; those of users are left out. */
export async function readDiagram(page: string): Promise<string[]> {
  const text = await readFile(new URL(`../../../../docs/domains/${page}`, import.meta.url), 'utf8');
  const [, diagram = ''] = /```mermaid\nstateDiagram-v2\n([^`]*)```/u.exec(text) ?? [];
  const lines = diagram.split('\n').map((line) => line.trim());
  return lines.filter((line) => line.includes('-->') && !line.includes(': user ')).toSorted();
}
