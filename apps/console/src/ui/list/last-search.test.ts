// @vitest-environment happy-dom
import { beforeEach, describe, expect, it } from 'vitest';
import { writeCookie } from '../cookies.ts';
import { lastSearch, storeSearch } from './last-search.ts';

describe('the last search of a list', () => {
  beforeEach(() => {
    sessionStorage.clear();
    writeCookie('id', 'one', 60);
  });

  it('is that of its path, without the page', () => {
    storeSearch('/devices/list', { service: 'expiring', page: 2 });
    storeSearch('/groups/list', {});
    expect(lastSearch('/devices/list')).toEqual({ service: 'expiring' });
    expect(lastSearch('/groups/list')).toEqual({});
    expect(lastSearch('/users')).toEqual({});
  });

  it('is not for the next person at this browser', () => {
    storeSearch('/devices/list', { group: 'north' });
    writeCookie('id', 'two', 60);
    expect(lastSearch('/devices/list')).toEqual({});
    storeSearch('/users', { search: 'kim' });
    writeCookie('id', 'one', 60);
    expect(lastSearch('/devices/list')).toEqual({});
  });

  it('is empty if the storage holds anything else', () => {
    for (const text of ['{', '[]', '{"session":"one","searches":{"/users":7}}', '{"session":"one","searches":null}']) {
      sessionStorage.setItem('highline.lists', text);
      expect(lastSearch('/users')).toEqual({});
    }
  });
});
