import type { Translation } from '../../ui/translation.ts';
import type { colleagues as english } from './colleagues.en-US.ts';

export const colleagues: Translation<typeof english> = {
  title: '同事',
  caption: '同事',
  count_other: '{{shown}} 位成員',
  you: '您',
  alone: '目前只有您一人。若您無法再使用雙重驗證，將沒有人能為您重設。請新增一位同事。',
  role: {
    whole: '所有權限',
    open: '變更 {{email}} 的角色（{{role}}）',
    title: '{{email}} 的角色',
    save: '儲存',
    done: '已變更 {{email}} 的角色。',
  },
  column: { name: '姓名', email: '電子郵件', signedIn: '上次登入', secondFactor: '雙重驗證', role: '角色' },
  field: { name: '姓名', email: '電子郵件' },
  never: '從未登入',
  reset: '重設',
  add: {
    open: '新增',
    title: '新增同事',
    means: '同事的權限與您相同：可管理組織、裝置、庫存、韌體，以及其他同事。',
    name: '姓名',
    email: '電子郵件',
    submit: '新增',
    isSelf: '這是您自己的帳號。',
  },
  remove: {
    enter: '刪除',
    count: '刪除（{{number}}）',
    question: '確定要刪除所選的同事嗎？',
    means: '他們將立即在所有裝置上登出，且無法再次登入。',
    isSelf: '這是您自己的帳號。',
  },
};
