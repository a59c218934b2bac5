/**
 * Keys of all messages. One area is one file per language (`<area>.<lang>.json`), its keys begin with the area's
 * name; a new area is one line here.
 */
type Area<File> = Extract<keyof File, string>

export type MessageKey =
  | Area<typeof import('./shell.en.json')>
  | Area<typeof import('./error.en.json')>
  | Area<typeof import('./checkout.en.json')>
  | Area<typeof import('./flash.en.json')>
  | Area<typeof import('./form.en.json')>
  | Area<typeof import('./goods.en.json')>
  | Area<typeof import('./home.en.json')>
  | Area<typeof import('./search.en.json')>
  | Area<typeof import('./listing.en.json')>
  | Area<typeof import('./category.en.json')>
  | Area<typeof import('./seller.en.json')>
  | Area<typeof import('./brand.en.json')>
  | Area<typeof import('./product.en.json')>
  | Area<typeof import('./cart.en.json')>
  | Area<typeof import('./deals.en.json')>
  | Area<typeof import('./ranking.en.json')>
  | Area<typeof import('./text.en.json')>
  | Area<typeof import('./contact.en.json')>
  | Area<typeof import('./account.en.json')>
