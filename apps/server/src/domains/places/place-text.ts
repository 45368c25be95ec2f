import type { Language, places } from '@highline/contract';

const directions: Readonly<Record<places.Direction, readonly [english: string, chinese: string]>> = {
  n: ['north', '北方'],
  ne: ['north-east', '東北方'],
  e: ['east', '東方'],
  se: ['south-east', '東南方'],
  s: ['south', '南方'],
  sw: ['south-west', '西南方'],
  w: ['west', '西方'],
  nw: ['north-west', '西北方'],
};

const kilometres = (metres: number) => (metres < 1_000 ? `${metres} m` : `${(metres / 1_000).toFixed(1)} km`);

/** A place in one line for mails and files, as the console says it (SAY-07); empty = nothing is near. */
export function placeText({ street, crossing, near }: places.Place, language: Language): string {
  const isChinese = language === 'zh-TW';
  const at =
    street !== null && crossing !== null ? (isChinese ? `${street}與${crossing}路口` : `${street} at ${crossing}`) : street;
  return [at, near === null ? null : nearText(near, isChinese)].filter((text) => text !== null).join(isChinese ? '，' : ', ');
}

function nearText(
  { kind, name: local, chinese, metres, direction }: NonNullable<places.Place['near']>,
  isChinese: boolean,
): string {
  const name = isChinese ? (chinese ?? local) : local;
  if (metres === 0 && kind === 'town') return name;
  if (metres === 0) return isChinese ? `位於${name}內` : `inside ${name}`;
  const [english, direct] = directions[direction];
  return isChinese ? `${name}${direct} ${kilometres(metres)}` : `${kilometres(metres)} ${english} of ${name}`;
}
