import { addCatalogues } from '../i18n/i18n.ts';
import * as features from './features.ts';

/** Messages that are loaded with what uses them and belong to no feature. */
const shared = {
  views: { 'en-US': () => import('../api/views/views.en-US.ts'), 'zh-TW': () => import('../api/views/views.zh-TW.ts') },
  places: {
    'en-US': () => import('../entities/places/places.en-US.ts'),
    'zh-TW': () => import('../entities/places/places.zh-TW.ts'),
  },
  settingFaults: {
    'en-US': () => import('../entities/settings/setting-faults.en-US.ts'),
    'zh-TW': () => import('../entities/settings/setting-faults.zh-TW.ts'),
  },
  palette: {
    'en-US': () => import('./shell/palette/palette.en-US.ts'),
    'zh-TW': () => import('./shell/palette/palette.zh-TW.ts'),
  },
};

addCatalogues(shared);
for (const feature of Object.values(features)) if ('messages' in feature) addCatalogues(feature.messages);

type Feature = (typeof features)[keyof typeof features];
type OfFeature = Extract<Feature, { readonly messages: unknown }>['messages'];
type Combined<Union> = (Union extends unknown ? (each: Union) => void : never) extends (all: infer All) => void ? All : never;
type Lazy = Combined<OfFeature | typeof shared>;

type MessagesOf<Namespace extends keyof Lazy> = Lazy[Namespace] extends {
  readonly 'en-US': () => Promise<Readonly<Record<Namespace, infer Messages>>>;
}
  ? Messages
  : never;

/** The messages of each namespace that is loaded on demand. */
export type LazyMessages = { readonly [Namespace in keyof Lazy]: MessagesOf<Namespace> };
