from enum import Enum

LIMIT = 3


class Kind(Enum):
    NEW = 1
    OLD = 2


class Order(Base):
    name: str = ""

    class Line:
        def price(self, *, rate: float = 1.0, **rest) -> float:
            return rate

    def __init__(self, lines):
        self.lines = lines
        self.total = 0

    @property
    def size(self) -> int:
        def inner(x):
            return x
        return inner(len(self.lines))

    @size.setter
    def size(self, value):
        if value and value > 3 or value is None:
            for x in range(3):
                if x: continue
                else:
                    while x: pass
        elif value: pass


async def load(path, *args):
    return [x for x in args if x]
