"""QuestionForms for the tests, put together from their parts."""

from marketplace.questions.form import FORMS

OVERVIEW = """<Overview><Title>Rivers</Title><Text>Look at the map.</Text><List><ListItem>Ilve</ListItem></List>
<Binary><MimeType><Type>image</Type><SubType>gif</SubType></MimeType><DataURL>https://a.example/map.gif</DataURL>
<AltText>A map</AltText></Binary><FormattedContent><![CDATA[<p>Read <b>all</b>&nbsp;of it.</p>]]></FormattedContent>
</Overview>"""


def form(*parts: str, namespace: str = FORMS[0]) -> str:
    return f'<QuestionForm xmlns="{namespace}">{"".join(parts)}</QuestionForm>'


def asked(identifier: str, answer: str, *, required: bool = True, content: str = "<Text>Which?</Text>") -> str:
    return (
        f"<Question><QuestionIdentifier>{identifier}</QuestionIdentifier><IsRequired>{str(required).lower()}</IsRequired>"
        f"<QuestionContent>{content}</QuestionContent><AnswerSpecification>{answer}</AnswerSpecification></Question>"
    )


def text(identifier: str, constraints: str = "", more: str = "", **changes) -> str:
    limits = f"<Constraints>{constraints}</Constraints>" if constraints else ""
    return asked(identifier, f"<FreeTextAnswer>{limits}{more}</FreeTextAnswer>", **changes)


def choice(identifier: str, *choices: str, before: str = "", other: str = "", **changes) -> str:
    listed = "".join(
        f"<Selection><SelectionIdentifier>{name}</SelectionIdentifier><Text>{name.title()}</Text></Selection>"
        for name in choices
    )
    return asked(
        identifier, f"<SelectionAnswer>{before}<Selections>{listed}{other}</Selections></SelectionAnswer>", **changes
    )
