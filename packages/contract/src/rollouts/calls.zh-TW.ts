export const summaries = {
  'bindings.config': '將設定檔的指定版本綁定到群組，未指定時為最新版本：群組內的每台路由器都會套用。',
  'bindings.firmware': '將韌體綁定到群組：群組內的每台路由器都會執行此版本。',
  'bindings.impact': '將此韌體或設定檔綁定到此群組的影響；不寫入任何資料。',
  'bindings.list': '各群組的綁定，以及有多少路由器已有所綁定的檔案。',
  'bindings.moveImpact':
    '裝置加入此群組時，群組中立即開始的有效綁定對它們的影響；包括個別加入的裝置，以及因刪除群組而一併移入的裝置。不寫入任何資料。',
  'bindings.settings': '將群組或整個組織已儲存的設定，以分批與更新時機的方式部署到路由器；會結束同一層級先前的部署。',
  'bindings.unbindConfig': '移除群組的設定檔綁定；路由器保留現有的檔案。',
  'bindings.unbindFirmware': '移除群組的韌體綁定；不會將任何路由器降版。',
  'rollouts.list': '單一群組的部署：韌體、設定檔與設定值；未指定群組時為組織設定值的部署。',
  'rollouts.steer': '暫停、繼續或取消部署，只重試失敗的路由器，或進入下一批、退回前一批。',
  'rollouts.targets': '部署的路由器，依狀態列出，並附上原因。',
};

export const areas = { bindings: '檔案綁定', rollouts: '部署' };
