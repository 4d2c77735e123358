import { appendResponseHeader, type H3Event } from 'h3'

export const early = (event: H3Event) => appendResponseHeader(event, 'early-data', '1')
