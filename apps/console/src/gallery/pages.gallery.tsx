import type { ReactNode } from 'react';
import { ActionButton } from '../ui/ActionButton.tsx';
import { PageHeader } from '../ui/page/PageHeader.tsx';
import { PageTabs } from '../ui/page/PageTabs.tsx';
import { PageSkeleton } from '../ui/page/Skeleton.tsx';
import { Section, State, useSay } from './parts.tsx';

/** The header of a page, and a page that loads. */
export function Pages(): ReactNode {
  const say = useSay();
  return (
    <Section id="pages" title="Page headers">
      <State name="title alone" wide>
        <PageHeader title={say('Settings', '設定')} />
      </State>
      <State name="way back, line below, actions" wide>
        <PageHeader
          title={say('North depot', '北區機廠')}
          back={<a href="#pages">{say('Groups', '群組')}</a>}
          aside={<span className="mono">HL-0042</span>}
          sub={say('12 devices · 11 online', '12 部裝置 · 11 部上線')}
          actions={
            <>
              <ActionButton>{say('Export', '匯出')}</ActionButton>
              <ActionButton variant="filled">{say('Add device', '新增裝置')}</ActionButton>
            </>
          }
        />
      </State>
      <State name="tabs" wide>
        <PageTabs label={say('Parts of the page', '頁面的部分')}>
          <a className="tabs__tab" href="#pages" aria-current="page">
            {say('Overview', '總覽')}
          </a>
          <a className="tabs__tab" href="#pages">
            {say('Settings', '設定')}
          </a>
        </PageTabs>
      </State>
      <State name="loading" wide>
        <PageSkeleton />
      </State>
    </Section>
  );
}
