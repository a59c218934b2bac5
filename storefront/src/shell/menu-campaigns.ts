import { MenuCampaignsDocument, type MenuCampaignsQuery } from '../generated/documents.ts'
import { ask } from '../session/graphql-client.ts'
import { requestFlow } from '../session/request-flow.ts'
import { followAudience } from './follow-audience.ts'

type Campaign = MenuCampaignsQuery['menuCampaigns'][number]

/**
 * What operators announce below a department and its categories, requested when a visitor turns to it. The entry shows the
 * state of the request; a failure costs nothing but the announcement.
 */
export function announceCampaigns(entry: HTMLElement, familyId: number): void {
  const flow = requestFlow(async (categoryId: number) => (await ask(MenuCampaignsDocument, { categoryId, familyId })).menuCampaigns)
  flow.follow(({ step }) => (entry.dataset['campaigns'] = step))
  const turned = async () => {
    for (const type of turns) entry.removeEventListener(type, request, true)
    for (const item of (await flow.run(familyId)) ?? []) for (const place of placesOf(entry, item)) place.append(campaignOf(item))
    followAudience(entry)
  }
  const request = () => void turned()
  for (const type of turns) entry.addEventListener(type, request, true)
}
const turns = ['pointerenter', 'focusin', 'toggle']

/** Below its categories; below the department if the menu shows none of them. */
function placesOf(entry: HTMLElement, { categoryIds }: Campaign): HTMLElement[] {
  const places = categoryIds.flatMap((id) => entry.querySelector<HTMLElement>(`[data-category="${id}"]`) ?? [])
  return places.length > 0 ? places : [entry]
}

function campaignOf({ title, detail, url, audience, isForEverybody }: Campaign): HTMLElement {
  const line = document.createElement('p')
  const anchor = document.createElement('a')
  anchor.href = url
  anchor.textContent = title
  line.append(anchor, ` ${detail}`)
  if (audience !== 'everybody') {
    line.dataset['audience'] = audience
    line.hidden = !isForEverybody
  }
  return line
}
