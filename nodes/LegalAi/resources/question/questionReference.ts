import { textOrNull } from '../../api';
import { parameterDetails } from '../../messages';
import {
	by,
	converted,
	fromList,
	group,
	pickedValue,
	required,
	text,
	withDefault,
} from '../../parameters';

/** Which assistant. Without one it is the general assistant: the editor empties the field if the list can't be loaded. */
export const assistant = withDefault(
	pickedValue('assistantId', 'Assistant', {
		default: { mode: 'list', value: 'default', cachedResultName: 'General Assistant' },
		description: 'The assistant that answers. The general assistant has the ID "default".',
		modes: [fromList('searchAssistants', 'General Assistant'), by('ID', 'e.g. default')],
	}),
	'default',
);

const questionId = required(
	text('questionId', 'Question ID', {
		default: '={{ $json.id }}',
		placeholder: 'e.g. 3f1c9a52-7a0e-4b39-9a53-0d8c0c6f2b11',
		description:
			'The ID from the output of the node that asked the question. If the input item is the question itself, its assistant is used automatically.',
	}),
	parameterDetails.enterQuestionId,
);

/** Which question an item is about. If the item is that question itself, it is `known`, and its own assistant is used. */
export const questionReference = converted(
	group({ assistantId: assistant, questionId }),
	({ assistantId, questionId: id }, { json }) => {
		const own = json.id === id ? textOrNull(json.assistant_id) : null;
		return { assistant_id: own ?? assistantId, id, known: own === null ? undefined : json };
	},
);
