import type { Language } from '../ui/language.ts';
import type * as Chinese from './calls.zh-TW.ts';
import type { Call } from './description.ts';

/** Puts the texts of calls into a language. Where the file of their texts cannot be loaded, they stay English. */
export async function translatorFor(language: Language): Promise<(call: Call) => Call> {
  if (language === 'en-US') return (call) => call;
  try {
    const chinese = await import('./calls.zh-TW.ts');
    return (call) => inChinese(call, chinese);
  } catch {
    return (call) => call;
  }
}

/** A text that is not translated stays English. */
function inChinese(call: Call, { summaries, areas, scopes, roles, notes }: typeof Chinese): Call {
  const summary = summaries[call.id] ?? call.summary;
  const areaName = areas[call.area] ?? call.area;
  const [scope = '', named] = call.description.split(' Roles: ');
  const applies = scopes[scope] ?? scope;
  const who = named?.replace('.', '').split(', ');
  const mayCall = who === undefined ? '' : `角色：${who.map((role) => roles[role] ?? role).join('、')}。`;
  // A list of names stays as it is.
  const noteOf = (text: string) => {
    const [title = '', names] = text.split(': ');
    return notes[text] ?? (names !== undefined && notes[title] !== undefined ? `${notes[title]}：${names}` : text);
  };
  return {
    ...call,
    summary,
    areaName,
    description: applies + mayCall,
    noteOf,
    searched: `${call.searched} ${areaName} ${summary}`,
  };
}
