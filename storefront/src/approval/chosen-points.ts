import { paths } from '../paths.ts'

/** Pick-up points on their way from the funnel to the request, as "7:abc,9:def". */

export interface ChosenPoint {
  sellerId: number
  pointId: string
}

function pointsText(choices: readonly { sellerId: number; pointId?: string | null | undefined }[]): string {
  return choices.flatMap(({ sellerId, pointId }) => (pointId ? [`${sellerId}:${pointId}`] : [])).join(',')
}

/** Anything but such a list names no points: the gateway then asks for them. */
export function readPoints(text: string): ChosenPoint[] {
  return text.split(',').flatMap((each) => {
    const [, sellerId = '', pointId = ''] = /^(\d{1,9}):([\w-]{1,40})$/.exec(each) ?? []
    return pointId === '' ? [] : [{ sellerId: Number(sellerId), pointId }]
  })
}

/** The page that asks for an approval of an order with these deliveries. */
export function approvalPath(customerOrderId: string, choices: Parameters<typeof pointsText>[0]): string {
  const points = pointsText(choices)
  return paths.approvalRequest({ customerOrderId }, points === '' ? {} : { points })
}
