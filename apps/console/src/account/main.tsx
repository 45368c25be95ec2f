// The library's sheets first: ours, and those of pages that load later, build on them.
import '@fontsource-variable/inter/index.css';
import '../ui/base.css';
import './account.css';
import { loadLanguage } from '../ui/language.ts';
import { mount } from '../ui/mount.tsx';
import { AccountApp, takeLink } from './AccountApp.tsx';

loadLanguage();
mount(<AccountApp link={takeLink()} />);
