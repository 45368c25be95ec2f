/** Messages of the choice of a carrier's colour. */
export const carrierColors = {
  title: 'Color, for everyone of your organization',
  name: { '1': 'Blue', '2': 'Teal', '3': 'Orange', '4': 'Purple', '5': 'Pink' },
};
