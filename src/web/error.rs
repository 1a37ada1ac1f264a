//! Why a call is refused, as the page is told.

use hyper::StatusCode;
use serde::Serialize;

/// A refusal: a status, a code that the page has words for, and a sentence where it has none.
#[derive(Clone, Debug)]
pub struct ApiError {
    /// The status of the answer.
    pub status: StatusCode,
    /// The rest of the answer.
    pub fault: Box<Fault>,
}

/// What is wrong, and where.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Fault {
    /// A word for programs, the same in every version.
    pub code: &'static str,
    /// One sentence in English.
    pub message: String,
    /// The field of the request that is wrong.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub field: Option<&'static str>,
    /// Where in that field's text, in characters from 0.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub at: Option<usize>,
    /// The same as a line of that text, from 1.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub line: Option<usize>,
    /// And the column in that line, from 1.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub column: Option<usize>,
    /// Which of that field's moves, from 1.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub number: Option<usize>,
}

impl Fault {
    /// A fault without a place.
    pub fn new(code: &'static str, message: impl ToString) -> Fault {
        Fault {
            code,
            message: message.to_string(),
            field: None,
            at: None,
            line: None,
            column: None,
            number: None,
        }
    }

    /// The same at the move of this number, counted from 1.
    pub fn at_move(mut self, number: usize) -> Fault {
        self.number = Some(number);
        self
    }

    /// The same in a field.
    pub fn in_field(mut self, field: &'static str) -> Fault {
        self.field = Some(field);
        self
    }
}

impl ApiError {
    /// A refusal with this status.
    pub fn new(status: StatusCode, code: &'static str, message: impl ToString) -> ApiError {
        ApiError {
            status,
            fault: Box::new(Fault::new(code, message)),
        }
    }

    /// A request that cannot be understood or is not legal.
    pub fn bad(code: &'static str, message: impl ToString) -> ApiError {
        ApiError::new(StatusCode::BAD_REQUEST, code, message)
    }

    /// A fault of the program or the system, not of the request.
    pub fn internal(reason: impl std::fmt::Display) -> ApiError {
        let message = format!("this call broke down, the others go on: {reason}");
        ApiError::new(StatusCode::INTERNAL_SERVER_ERROR, "internal", message)
    }
}

impl From<Fault> for ApiError {
    fn from(fault: Fault) -> ApiError {
        ApiError {
            status: StatusCode::BAD_REQUEST,
            fault: Box::new(fault),
        }
    }
}
