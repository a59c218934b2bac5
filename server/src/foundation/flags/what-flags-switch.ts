import type { FlagName } from '@purlin/contract/flags.ts'

/** For the list of operators. */
export const whatFlagsSwitch: Readonly<Record<FlagName, string>> = {
  appB2bTouchpoint: 'the note on the professional storefront that it can be installed as an app',
  suspectedProModalRevamp: 'the second design of the modals of the professional storefront',
  pepeAutocompleteAddress: 'completion of towns and streets in address forms',
  pepeUnifyAuth: 'one sign-in flow for both storefronts, at the realm unified',
  enableMfRebranding: 'the claim of the new brand at the top of every page',
  pepePdpB2bBnpl: 'payment by invoice for companies: on product pages of professionals and on their payment page',
  batchEnabled: 'the prompt for push messages, shown with consent to preferences',
  csideEnabled: 'reports about scripts that do not come from our own origin, with consent to statistics',
  enableCustomDataNewFormat: 'the second format of the page data sent to measurement: page_ and view_ before each name',
  eventsWithPurposesEnabled: 'the consent purposes in each measured event',
}
