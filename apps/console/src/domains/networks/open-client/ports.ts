import type { ClientRule } from './open-client.api.ts';
import { partsOf } from '../../../ui/form/separated.ts';

type Ports = ClientRule['ports'];

/** As a person writes them: `22, 80, 8000-8100`. */
export function formatPorts(ports: Ports): string {
  return ports.map(({ from, to }) => (from === to ? String(from) : `${from}-${to}`)).join(', ');
}

/** @returns undefined when a part is no port and no range of ports */
export function parsePorts(text: string): Ports | undefined {
  const ports = partsOf(text).map((part) => {
    const [, from = '', to = from] = /^(\d{1,5})(?:[-–](\d{1,5}))?$/u.exec(part) ?? [];
    return from === '' ? { from: 0, to: 0 } : { from: Number(from), to: Number(to) };
  });
  const isPort = (port: number) => port >= 1 && port <= 65_535;
  return ports.every(({ from, to }) => isPort(from) && isPort(to) && from <= to) ? ports : undefined;
}
