import { requireQuota } from '#platform'

interface Offer {
  sellerId: number
  market: string
  offerId: string
}

/**
 * Counts a change of an offer, by the offer and by its seller, before the work. To be given back by a change that is refused or changes nothing.
 * @throws TooManyError
 */
export async function takeOfferChange({ sellerId, market, offerId }: Offer): Promise<{ giveBack: () => Promise<void> }> {
  const ofSeller = await requireQuota('seller-offer-change', { key: String(sellerId) })
  try {
    const ofOffer = await requireQuota('offer-change', { key: `${sellerId}/${market}/${offerId}` })
    return {
      giveBack: async () => {
        await ofOffer.giveBack()
        await ofSeller.giveBack()
      },
    }
  } catch (error) {
    await ofSeller.giveBack()
    throw error
  }
}
