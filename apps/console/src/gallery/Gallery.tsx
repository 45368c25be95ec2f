import { storeScheme } from '../ui/scheme.ts';
import type { ReactNode } from 'react';
import { chooseLanguage } from '../i18n/i18n.ts';
import { Buttons } from './buttons.gallery.tsx';
import { Charts } from './charts.gallery.tsx';
import { Fields } from './fields.gallery.tsx';
import { Filters } from './filters.gallery.tsx';
import { Overlays } from './overlays.gallery.tsx';
import { Pages } from './pages.gallery.tsx';
import { States } from './states.gallery.tsx';
import { Status } from './status.gallery.tsx';
import { Tables } from './tables.gallery.tsx';
import { Wide } from './wide.gallery.tsx';
import './gallery.css';

/** Links to look at the page in the other language or scheme; the choice is stored as the console's own. */
function Looks(): ReactNode {
  return (
    <p>
      <button type="button" className="link" onClick={() => void chooseLanguage('en-US')}>
        English
      </button>
      <button type="button" className="link" onClick={() => void chooseLanguage('zh-TW')}>
        繁體中文
      </button>
      <button type="button" className="link" onClick={() => storeScheme('light')}>
        Light
      </button>
      <button type="button" className="link" onClick={() => storeScheme('dark')}>
        Dark
      </button>
    </p>
  );
}

/** Every component of `ui/` in every state. A section with a picture is a `section` with an id. */
export function Gallery(): ReactNode {
  return (
    <main className="gallery">
      <h1>Gallery</h1>
      <Looks />
      <Buttons />
      <Status />
      <States />
      <Pages />
      <Fields />
      <Filters />
      <Tables />
      <Wide />
      <Charts />
      <Overlays />
    </main>
  );
}
