import { formatNumber, type Language, type places } from '@highline/contract';

const METRES_OF_MILE = 1_609.344;
/** Nearer than this is at it. Metres. */
const AT = 50;

const directions: Readonly<Record<Language, Readonly<Record<places.Direction, string>>>> = {
  'en-US': {
    n: 'north',
    ne: 'north-east',
    e: 'east',
    se: 'south-east',
    s: 'south',
    sw: 'south-west',
    w: 'west',
    nw: 'north-west',
  },
  'zh-TW': { n: '北方', ne: '東北方', e: '東方', se: '東南方', s: '南方', sw: '西南方', w: '西方', nw: '西北方' },
};

/** '3.4', '12': one decimal below ten. */
const rounded = (value: number) => formatNumber(value < 10 ? Math.round(value * 10) / 10 : Math.round(value));

function nearText({ name: local, chinese, metres, direction }: NonNullable<places.Place['near']>, language: Language): string {
  const kilometres = rounded(metres / 1_000);
  if (language === 'zh-TW') {
    const name = chinese ?? local;
    return metres < AT ? `位於「${name}」` : `「${name}」${directions[language][direction]} ${kilometres} 公里`;
  }
  // A mail has no choice of units.
  const distance = `${rounded(metres / METRES_OF_MILE)} mi (${kilometres} km)`;
  return metres < AT ? `inside ${local}` : `${distance} ${directions[language][direction]} of ${local}`;
}

/**
 * The description of a place in a mail, with the units of both systems: 'Foster Avenue at Western Avenue, 2.9 mi (4.7 km) west of North depot'
 * (SAY-07).
 * @returns '' if nothing is known
 */
export function placeText({ street, crossing, near }: places.Place, language: Language): string {
  const at = language === 'zh-TW' ? '與' : ' at ';
  const atCrossing = language === 'zh-TW' ? '路口' : '';
  const parts = [
    ...(street === null ? [] : [crossing === null ? street : `${street}${at}${crossing}${atCrossing}`]),
    ...(near === null ? [] : [nearText(near, language)]),
  ];
  return parts.join(language === 'zh-TW' ? '，' : ', ');
}
