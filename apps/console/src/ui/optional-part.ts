import { type ComponentType, lazy, type LazyExoticComponent } from 'react';

const Nothing = () => null;

/**
 * A part of a page, in a file of its own, without which the page still serves its purpose. Where the file cannot be loaded, `Instead` is
 * shown until the page is loaded again; React would otherwise replace the whole page by the failure (ATT-05).
 */
export function optionalPart<Props extends object>(
  load: () => Promise<ComponentType<Props>>,
  Instead: ComponentType = Nothing,
): LazyExoticComponent<ComponentType<Props>> {
  return lazy(() =>
    load().then(
      (Part) => ({ default: Part }),
      () => ({ default: Instead as ComponentType<Props> }),
    ),
  );
}
