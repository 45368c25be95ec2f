import { failuresOfPeople } from '@highline/contract';
import { chineseErrors } from '@highline/contract/errors-zh-TW';
import { addRowMessage, addStandardMessages } from './standard-messages.ts';

type Flat<Key extends string> = Key extends `${infer Head}.${infer Tail}` ? `${Head}_${Flat<Tail>}` : Key;

addStandardMessages(Object.fromEntries(Object.entries(failuresOfPeople).map(([key, { message }]) => [key, message])));
addRowMessage('device.duplicate', 'Existing serial number');

/** The text of every failure that a person meets, of a server that does not answer, and of a fault of the console itself. */
export const errors = {
  ...Object.fromEntries(Object.entries(chineseErrors).map(([key, text]) => [key.replaceAll('.', '_'), text])),
  unexpected: '發生錯誤。請重新載入頁面後再試一次。',
  network: '無法連線到伺服器。您輸入的內容已保留，請再試一次。',
} as Readonly<Record<Flat<keyof typeof failuresOfPeople> | 'network' | 'unexpected', string>>;
