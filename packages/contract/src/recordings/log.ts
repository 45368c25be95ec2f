export const log = {
  'recording.turned_on': ['Turned on the recording of terminals', '已開啟終端機錄影'],
  'recording.turned_off': ['Turned off the recording of terminals', '已關閉終端機錄影'],
  'recording.kept': ['Changed how long recordings of terminals are kept', '已變更終端機錄影的保留期限'],
  'recording.ended': ['Recorded a terminal of device {0}', '已錄下裝置 {0} 的終端機工作階段'],
  'recording.read': ['Read the recording of a terminal of device {0}', '已讀取裝置 {0} 的終端機錄影'],
} as const;
