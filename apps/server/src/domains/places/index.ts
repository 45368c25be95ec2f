export { placesModule } from './module.ts';
export { placeText } from './place-text.ts';
export { describePlaces, type PlacesDeps } from './places.service.ts';
export { createStreetFinder } from './streets.ts';
