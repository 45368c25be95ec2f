/** A town on the base map, and by which places are described. */
export interface Town {
  readonly name: string;
  /** In Traditional Chinese; the same if left out. */
  readonly chinese?: string;
  readonly latitude: number;
  readonly longitude: number;
  /** 1 = shown from far away, 3 = only from near. */
  readonly rank: 1 | 2 | 3;
}

type Row = readonly [name: string, chinese: string, latitude: number, longitude: number, rank: Town['rank']];

const rows: readonly Row[] = [
  ['New York', '紐約', 40.71, -74.01, 1], ['Los Angeles', '洛杉磯', 34.05, -118.24, 1], ['Chicago', '芝加哥', 41.88, -87.63, 1],
  ['Houston', '休士頓', 29.76, -95.37, 1], ['Phoenix', '鳳凰城', 33.45, -112.07, 2], ['Philadelphia', '費城', 39.95, -75.17, 2],
  ['San Antonio', '聖安東尼奧', 29.42, -98.49, 3], ['San Diego', '聖地牙哥', 32.72, -117.16, 2], ['Dallas', '達拉斯', 32.78, -96.8, 1],
  ['San Francisco', '舊金山', 37.77, -122.42, 1], ['San Jose', '聖荷西', 37.34, -121.89, 3], ['Seattle', '西雅圖', 47.61, -122.33, 1],
  ['Denver', '丹佛', 39.74, -104.99, 1], ['Washington', '華盛頓', 38.91, -77.04, 1], ['Boston', '波士頓', 42.36, -71.06, 2],
  ['Atlanta', '亞特蘭大', 33.75, -84.39, 1], ['Miami', '邁阿密', 25.76, -80.19, 1], ['Detroit', '底特律', 42.33, -83.05, 2],
  ['Minneapolis', '明尼亞波利斯', 44.98, -93.27, 2], ['St. Louis', '聖路易', 38.63, -90.2, 2], ['Kansas City', '堪薩斯城', 39.1, -94.58, 2],
  ['Omaha', '奧馬哈', 41.26, -95.94, 2], ['Lincoln', '林肯', 40.81, -96.68, 3], ['Des Moines', '第蒙', 41.59, -93.62, 3],
  ['Sioux City', '蘇城', 42.5, -96.4, 3], ['Milwaukee', '密爾瓦基', 43.04, -87.91, 2], ['Madison', '麥迪遜', 43.07, -89.4, 3],
  ['Rockford', '羅克福德', 42.27, -89.09, 3], ['Aurora', '奧羅拉', 41.76, -88.32, 3], ['Joliet', '朱利葉', 41.53, -88.08, 3],
  ['Gary', '蓋瑞', 41.59, -87.35, 3], ['Evanston', '埃文斯頓', 42.05, -87.69, 3], ['Naperville', '內珀維爾', 41.79, -88.15, 3],
  ['Indianapolis', '印第安納波利斯', 39.77, -86.16, 2], ['Columbus', '哥倫布', 39.96, -83, 2], ['Cleveland', '克里夫蘭', 41.5, -81.69, 2],
  ['Cincinnati', '辛辛那提', 39.1, -84.51, 3], ['Pittsburgh', '匹茲堡', 40.44, -80, 2], ['Charlotte', '夏洛特', 35.23, -80.84, 2],
  ['Nashville', '納許維爾', 36.16, -86.78, 2], ['Memphis', '孟菲斯', 35.15, -90.05, 2], ['New Orleans', '紐奧良', 29.95, -90.07, 2],
  ['Austin', '奧斯汀', 30.27, -97.74, 2], ['Oklahoma City', '奧克拉荷馬市', 35.47, -97.52, 2], ['Albuquerque', '阿布奎基', 35.08, -106.65, 2],
  ['El Paso', '艾爾帕索', 31.76, -106.49, 3], ['Las Vegas', '拉斯維加斯', 36.17, -115.14, 2], ['Salt Lake City', '鹽湖城', 40.76, -111.89, 2],
  ['Portland', '波特蘭', 45.52, -122.68, 2], ['Tacoma', '塔科馬', 47.25, -122.44, 3], ['Everett', '艾弗里特', 47.98, -122.2, 3],
  ['Bellevue', '貝爾維尤', 47.61, -122.2, 3], ['Spokane', '斯波坎', 47.66, -117.43, 3], ['Boise', '博伊西', 43.62, -116.2, 3],
  ['Sacramento', '沙加緬度', 38.58, -121.49, 3], ['Tampa', '坦帕', 27.95, -82.46, 2], ['Orlando', '奧蘭多', 28.54, -81.38, 3],
  ['Jacksonville', '傑克遜維爾', 30.33, -81.66, 3], ['Anchorage', '安克拉治', 61.22, -149.9, 2], ['Honolulu', '檀香山', 21.31, -157.86, 2],
  ['Toronto', '多倫多', 43.65, -79.38, 1], ['Montréal', '蒙特婁', 45.5, -73.57, 1], ['Vancouver', '溫哥華', 49.28, -123.12, 1],
  ['Calgary', '卡加利', 51.05, -114.07, 2], ['Winnipeg', '溫尼伯', 49.9, -97.14, 2], ['Mexico City', '墨西哥城', 19.43, -99.13, 1],
  ['Guadalajara', '瓜達拉哈拉', 20.67, -103.35, 2], ['Monterrey', '蒙特雷', 25.69, -100.32, 2], ['Bogotá', '波哥大', 4.71, -74.07, 1],
  ['Lima', '利馬', -12.05, -77.04, 1], ['São Paulo', '聖保羅', -23.55, -46.63, 1], ['Rio de Janeiro', '里約熱內盧', -22.91, -43.17, 2],
  ['Buenos Aires', '布宜諾斯艾利斯', -34.6, -58.38, 1], ['Santiago', '聖地牙哥', -33.45, -70.67, 1], ['London', '倫敦', 51.51, -0.13, 1],
  ['Paris', '巴黎', 48.86, 2.35, 1], ['Madrid', '馬德里', 40.42, -3.7, 1], ['Berlin', '柏林', 52.52, 13.41, 1], ['Rome', '羅馬', 41.9, 12.5, 1],
  ['Hamburg', '漢堡', 53.55, 9.99, 2], ['Munich', '慕尼黑', 48.14, 11.58, 2], ['Milan', '米蘭', 45.46, 9.19, 2], ['Vienna', '維也納', 48.21, 16.37, 2],
  ['Amsterdam', '阿姆斯特丹', 52.37, 4.9, 2], ['Barcelona', '巴塞隆納', 41.39, 2.17, 2], ['Warsaw', '華沙', 52.23, 21.01, 1],
  ['Stockholm', '斯德哥爾摩', 59.33, 18.07, 1], ['Oslo', '奧斯陸', 59.91, 10.75, 2], ['Istanbul', '伊斯坦堡', 41.01, 28.98, 1],
  ['Kyiv', '基輔', 50.45, 30.52, 1], ['Moscow', '莫斯科', 55.76, 37.62, 1], ['Cairo', '開羅', 30.04, 31.24, 1], ['Lagos', '拉哥斯', 6.52, 3.38, 1],
  ['Nairobi', '奈洛比', -1.29, 36.82, 1], ['Johannesburg', '約翰尼斯堡', -26.2, 28.05, 1], ['Dubai', '杜拜', 25.2, 55.27, 1],
  ['Delhi', '德里', 28.61, 77.21, 1], ['Mumbai', '孟買', 19.08, 72.88, 1], ['Bangkok', '曼谷', 13.76, 100.5, 1], ['Singapore', '新加坡', 1.35, 103.82, 1],
  ['Jakarta', '雅加達', -6.21, 106.85, 1], ['Manila', '馬尼拉', 14.6, 120.98, 1], ['Hong Kong', '香港', 22.32, 114.17, 1],
  ['Shanghai', '上海', 31.23, 121.47, 1], ['Beijing', '北京', 39.9, 116.41, 1], ['Seoul', '首爾', 37.57, 126.98, 1], ['Tokyo', '東京', 35.68, 139.69, 1],
  ['Osaka', '大阪', 34.69, 135.5, 2], ['Sydney', '雪梨', -33.87, 151.21, 1], ['Melbourne', '墨爾本', -37.81, 144.96, 1],
  ['Auckland', '奧克蘭', -36.85, 174.76, 1], ['Taipei', '臺北', 25.04, 121.56, 1], ['New Taipei', '新北', 25.01, 121.46, 3],
  ['Keelung', '基隆', 25.13, 121.74, 3], ['Taoyuan', '桃園', 24.99, 121.31, 3], ['Hsinchu', '新竹', 24.8, 120.97, 2],
  ['Taichung', '臺中', 24.15, 120.67, 2], ['Changhua', '彰化', 24.08, 120.54, 3], ['Chiayi', '嘉義', 23.48, 120.45, 3],
  ['Tainan', '臺南', 22.99, 120.21, 2], ['Kaohsiung', '高雄', 22.63, 120.3, 2], ['Pingtung', '屏東', 22.67, 120.49, 3],
  ['Yilan', '宜蘭', 24.76, 121.75, 3], ['Hualien', '花蓮', 23.98, 121.6, 2], ['Taitung', '臺東', 22.76, 121.14, 3],
]; // prettier-ignore

/** Large towns everywhere, and more where Highline is used; places to recognize, not a gazetteer. */
export const towns: readonly Town[] = rows.map(([name, chinese, latitude, longitude, rank]) => ({
  name,
  chinese,
  latitude,
  longitude,
  rank,
}));

/** Kilometres around the middle of a town in which one is in the town, by its rank. */
const REACH_KM = { 1: 16, 2: 9, 3: 5 } as const;
const FARTHEST_KM = 100;
const KM_OF_DEGREE = 111.195;

/** The town that a place belongs to, or the one whose edge is nearest. @returns undefined if none is within 100 km */
export function nearestTown(latitude: number, longitude: number): { readonly town: Town; readonly metres: number } | undefined {
  let nearest: { readonly town: Town; readonly km: number } | undefined;
  for (const town of towns) {
    const east = ((((town.longitude - longitude + 540) % 360) + 360) % 360) - 180;
    const sideways = east * Math.cos((latitude * Math.PI) / 180);
    const km = Math.hypot(town.latitude - latitude, sideways) * KM_OF_DEGREE - REACH_KM[town.rank];
    if (km <= FARTHEST_KM && (nearest === undefined || km < nearest.km)) nearest = { town, km };
  }
  return nearest && { town: nearest.town, metres: Math.max(0, Math.round(nearest.km * 1_000)) };
}
