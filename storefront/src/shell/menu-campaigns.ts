import { MenuCampaignsDocument, type HeaderItemFragment } from '../generated/documents.ts'
import { ask } from '../session/graphql-client.ts'
import { requestFlow } from '../session/request-flow.ts'

/**
 * What operators announce below a department, requested when a visitor turns to it. The entry shows the state of the
 * request; a failure costs nothing but the announcement.
 */
export function announceCampaigns(entry: HTMLElement, familyId: number): void {
  const flow = requestFlow(async (categoryId: number) => (await ask(MenuCampaignsDocument, { categoryId, familyId })).menuCampaigns)
  flow.follow(({ step }) => (entry.dataset['campaigns'] = step))
  const turned = async () => {
    for (const type of turns) entry.removeEventListener(type, request, true)
    for (const item of (await flow.run(familyId)) ?? []) if (item.audience === 'everybody') entry.append(campaignOf(item))
  }
  const request = () => void turned()
  for (const type of turns) entry.addEventListener(type, request, true)
}
const turns = ['pointerenter', 'focusin', 'toggle']

function campaignOf({ title, detail, url }: HeaderItemFragment): HTMLElement {
  const line = document.createElement('p')
  const anchor = document.createElement('a')
  anchor.href = url
  anchor.textContent = title
  line.append(anchor, ` ${detail}`)
  return line
}
