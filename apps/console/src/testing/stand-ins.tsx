import { type ReactNode, useEffect, useState } from 'react';

// In place of what draws on a canvas or measures fonts, which the document of the tests cannot (testing/set-up.ts). They are the same for all files, as
// the files of a worker share the modules of the console.

/** What stands in the terminal that is open, and how its router ends it. */
export const terminal = { shown: '', end: (_reason: string): void => {} };

export const Nothing = (): ReactNode => null;

/** The vehicles that the map is moved to: those that it has when its view changes. */
export function FittedVehicles({
  vehicles,
  view,
}: {
  readonly vehicles: readonly { readonly name: string }[];
  readonly view?: unknown;
}): ReactNode {
  const [fitted, setFitted] = useState({ vehicles, view });
  if (fitted.view !== view) setFitted({ vehicles, view });
  return <div role="img" aria-label={`Map of ${fitted.vehicles.map(({ name }) => name).join(', ')}`} />;
}

/** Where the map of hexagons begins. */
export function FittedHexagons({
  all,
}: {
  readonly all: readonly { readonly latitude: number; readonly longitude: number }[];
}): ReactNode {
  return <div role="img" aria-label={`Map of ${all.map(({ latitude, longitude }) => `${latitude}, ${longitude}`).join('; ')}`} />;
}

export function CountedPlaces({ speeds }: { readonly speeds: readonly { readonly place: object | null }[] }): ReactNode {
  return `${speeds.filter(({ place }) => place !== null).length} places`;
}

export function NamedTerminal({ label, onEnd }: { readonly label: string; readonly onEnd: (reason: string) => void }): ReactNode {
  useEffect(() => {
    terminal.end = onEnd;
  });
  return <div role="region" aria-label={label} />;
}

export function openTextScreen() {
  return {
    terminal: {
      textarea: undefined,
      write: (text: string) => void (terminal.shown += text),
      reset: () => void (terminal.shown = ''),
      resize: () => {},
    },
    close: () => {},
  };
}
