import '@fontsource-variable/inter/index.css';
import '../ui/base.css';
import './share.css';
import { hasChosenLanguage, loadLanguage, storeLanguage } from '../ui/language.ts';
import { mount } from '../ui/mount.tsx';
import { SharePage } from './SharePage.tsx';

loadLanguage();
// Those who open a link are no users who have chosen a language before.
if (!hasChosenLanguage() && navigator.language.toLowerCase().startsWith('zh')) storeLanguage('zh-TW');
// Another link in the same tab changes nothing else of the address.
addEventListener('hashchange', () => location.reload());
mount(<SharePage token={location.hash.slice(1)} />);
