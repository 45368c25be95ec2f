import * as ofDomains from './domains/calls.zh-TW.ts';

/** What each call does in Traditional Chinese, by its id. */
export const summaries: Readonly<Record<string, string>> = {
  'live.stream':
    '權限範圍內的變更，以伺服器傳送事件（Server-Sent Events）送出；可依 Last-Event-ID 接續，或從先前回應的 `highline-event-id` 之後開始。',
  ...ofDomains.summaries,
};

/** The areas of the calls: the part of an id before the dot. */
export const areas: Readonly<Record<string, string>> = {
  live: '即時更新',
  ...ofDomains.areas,
};
